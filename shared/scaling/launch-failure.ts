/** Why a launch failed: AWS's own code where it names one, and its words, cut to what a person reads. */
export interface LaunchFailure {
  readonly code: string;
  readonly message: string;
}

/**
 * What AWS means when it names no code (Auto Scaling's list of launch failures, "Troubleshoot issues in
 * Amazon EC2 Auto Scaling"). The first that matches counts.
 */
const saidInWords: readonly (readonly [words: RegExp, code: string])[] = [
  [/not have sufficient .*capacity|no spot capacity available/i, 'InsufficientInstanceCapacity'],
  [/unable to fulfill capacity/i, 'UnfulfillableCapacity'],
  [/more vcpu capacity than your current vcpu limit/i, 'VcpuLimitExceeded'],
  [/max(?:imum)? spot instance count exceeded/i, 'MaxSpotInstanceCountExceeded'],
  [/spot request price .* is lower than/i, 'SpotMaxPriceTooLow'],
  [/current instance limit|instance\(s\) are already running/i, 'InstanceLimitExceeded'],
  [/reached your quota/i, 'QuotaExceeded'],
  [/(?:image|ami) id '?\[?ami-\w*\]?'? does not exist/i, 'InvalidAMIID.NotFound'],
  [/security group .* does not exist/i, 'InvalidGroup.NotFound'],
  [/key pair .* does not exist/i, 'InvalidKeyPair.NotFound'],
  [/subnet .* does not exist/i, 'InvalidSubnetID.NotFound'],
  [/launch template .* does not exist/i, 'InvalidLaunchTemplateId.NotFound'],
  [/not enough free addresses/i, 'InsufficientFreeAddressesInSubnet'],
  [/not supported in your requested availability zone/i, 'Unsupported'],
  [/requested configuration is (?:currently )?not supported/i, 'Unsupported'],
  [/not authorized to perform/i, 'UnauthorizedOperation'],
  [/authentication failure/i, 'AuthFailure'],
  [/lifecycle action .* was abandoned/i, 'LifecycleActionAbandoned'],
];

/** `Could not launch Spot Instances. MaxSpotInstanceCountExceeded - …`, `Client.VolumeLimitExceeded: …`. */
const named: readonly RegExp[] = [
  /could not launch [\w-]+ instances\.\s+([A-Z]\w+(?:\.\w+)?)\s+[-–—]/i,
  /\b((?:Client|Server)\.[A-Z]\w+)/,
  /\b([A-Z][a-z]+(?:[A-Z]\w*)?\.(?:NotFound|Malformed|Unavailable))\b/,
  /\b([A-Z][a-z]+(?:[A-Z][a-z]+)*(?:Exceeded|Capacity|Operation|Throttled|Unavailable|Combination))\b/,
];

/** AWS itself is busy or broken: passes without anybody's doing, and says nothing of the group. */
const passing =
  /throttl|rate exceeded|request ?limit ?exceeded|too many requests|server\.internal|internal ?(?:error|failure|service error)|service ?unavailable|^(?:server\.)?unavailable|server is overloaded/i;

/** Left by the client's doing (a disk's key, say), though it is called an internal error. */
const clientError = /\bClient\.InternalError\b|client error on launch/i;

const longest = 300;

/**
 * What AWS's StatusMessage of a failed launch says of its group; `undefined` where it says nothing of it:
 * the request was throttled, or AWS had an error of its own. Unknown texts are failures (`LaunchFailed`):
 * nothing was launched.
 */
export const launchFailureOf = (statusMessage: string | undefined): LaunchFailure | undefined => {
  const text = (statusMessage ?? '').replace(/\s+/g, ' ').trim();
  const message = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  if (clientError.test(text)) return { code: 'Client.InternalError', message };
  if (passing.test(text)) return undefined;
  const code =
    named.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined) ??
    saidInWords.find(([words]) => words.test(text))?.[1] ??
    'LaunchFailed';
  return {
    code: code.replace(/^(?:Client|Server)\./, ''),
    message: message || 'AWS gives no reason',
  };
};
