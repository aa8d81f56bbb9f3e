import { describe, expect, it } from 'vitest';
import { launchFailureOf } from '#scaling/launch-failure.ts';
import { noCapacity } from '../../helpers/scaling-builders.ts';

const ofSpot = (text: string) => `Could not launch Spot Instances. ${text}`;

describe("AWS's words on a failed launch", () => {
  it.each([
    [noCapacity, 'InsufficientInstanceCapacity'],
    [
      'We currently do not have sufficient p3.2xlarge capacity in the Availability Zone you requested (us-west-1c). Launching EC2 instance failed.',
      'InsufficientInstanceCapacity',
    ],
    [
      'There is no Spot capacity available that matches your request. Launching EC2 instance failed.',
      'InsufficientInstanceCapacity',
    ],
    [
      ofSpot('UnfulfillableCapacity - Unable to fulfill capacity due to your request.'),
      'UnfulfillableCapacity',
    ],
    [
      'Could not launch On-Demand Instances. VcpuLimitExceeded - You have requested more vCPU capacity than your current vCPU limit of 8 allows.',
      'VcpuLimitExceeded',
    ],
    [
      'You have requested more vCPU capacity than your current vCPU limit of 32 allows for the instance bucket that the specified instance type belongs to.',
      'VcpuLimitExceeded',
    ],
    [ofSpot('MaxSpotInstanceCountExceeded'), 'MaxSpotInstanceCountExceeded'],
    ['Max spot instance count exceeded', 'MaxSpotInstanceCountExceeded'],
    [
      "Could not launch On-Demand Instances. InvalidAMIID.NotFound - The image id '[ami-02c7]' does not exist.",
      'InvalidAMIID.NotFound',
    ],
    ['The AMI ID ami-02c7 does not exist. Launching EC2 instance failed.', 'InvalidAMIID.NotFound'],
    [
      'The security group sg-1 does not exist. Launching EC2 instance failed.',
      'InvalidGroup.NotFound',
    ],
    [
      'Your requested instance type (m6g.large) is not supported in your requested Availability Zone (us-east-1e).',
      'Unsupported',
    ],
    [
      'The requested configuration is currently not supported. Launching EC2 instance failed.',
      'Unsupported',
    ],
    [
      ofSpot('InvalidParameterCombination - The specified instance type is not eligible.'),
      'InvalidParameterCombination',
    ],
    [
      'Instance became unhealthy while waiting for instance to be in InService state. Termination Reason: Client.VolumeLimitExceeded: Volume limit exceeded',
      'VolumeLimitExceeded',
    ],
    [
      'Instance became unhealthy. Termination Reason: Client.InternalError: Client error on launch',
      'Client.InternalError',
    ],
    [
      "There are not enough free addresses in subnet 'subnet-1'",
      'InsufficientFreeAddressesInSubnet',
    ],
    ['You are not authorized to perform this operation.', 'UnauthorizedOperation'],
    ['Something that AWS has never said before.', 'LaunchFailed'],
    [undefined, 'LaunchFailed'],
  ])('%s is %s', (message, code) => {
    expect(launchFailureOf(message)?.code).toBe(code);
  });

  it.each([
    'Request limit exceeded. Launching EC2 instance failed.',
    'Could not launch On-Demand Instances. RequestLimitExceeded - Request limit exceeded.',
    'Rate exceeded',
    'ThrottlingException: Rate exceeded',
    'An internal error has occurred. Launching EC2 instance failed.',
    'Could not launch Spot Instances. InternalError - An internal error has occurred',
    'Termination Reason: Server.InternalError: Internal error on launch',
    'Service Unavailable. Please try again shortly.',
    'The server is overloaded and can not handle the request.',
  ])('%s says nothing of the group', (message) => {
    expect(launchFailureOf(message)).toBeUndefined();
  });

  it('are kept on one line, and cut', () => {
    const message = launchFailureOf(`You are not\n authorized. ${'x'.repeat(4000)}`)?.message ?? '';
    expect(message.startsWith('You are not authorized. xxx')).toBe(true);
    expect(message).toHaveLength(300);
    expect(launchFailureOf('')?.message).toBe('AWS gives no reason');
  });
});
