export type Input = Readonly<Record<string, unknown>>;

/** An SDK client, as far as the adapters use it, whose answers the test gives by the call's input and name. */
export const clientOf = (answer: (input: Input, command: string) => object | Promise<object>) => {
  const inputs: Input[] = [];
  const commands: string[] = [];
  const client = {
    config: { region: async () => 'eu-central-1' },
    async send(command: { readonly input: Input }) {
      inputs.push(command.input);
      commands.push(command.constructor.name);
      return answer(command.input, command.constructor.name);
    },
  };
  return { inputs, commands, client };
};

/** Throws as the SDK does. */
export const refuse = (name: string, httpStatusCode = 400, message = `${name} it is`): never => {
  throw Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });
};
