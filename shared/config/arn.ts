/** The ARN of an IAM role. */
export const roleArnForm = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;

/** The account's number in an ARN; empty where the ARN has none. */
export const accountOfArn = (arn: string | undefined): string | undefined => arn?.split(':')[4];
