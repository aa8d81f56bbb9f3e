import { type ClusterSnapshot, podKey } from '#cluster/snapshot.ts';
import { editDistance } from './edit-distance.ts';

const dnsName = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** `namespace/name` of a pod, or why the text is none, with the remedy. */
export const readPodKey = (text: string): string | { readonly refused: string } => {
  const [namespace = '', name = '', ...more] = text.split('/');
  if (more.length === 0 && dnsName.test(namespace) && dnsName.test(name)) return text;
  const example =
    more.length === 0 && name === '' && dnsName.test(namespace) ? `default/${text}` : 'default/web';
  return {
    refused: `${JSON.stringify(text)} names no pod: write NAMESPACE/POD, such as ${example}`,
  };
};

const shown = 3;
const most = 40;

/** Why there is no such pod, with the names that are nearest; those of its own namespace come first. */
export const noSuchPod = (key: string, { pods }: ClusterSnapshot): string => {
  const namespace = key.slice(0, key.indexOf('/') + 1);
  const near = pods
    .map((pod) => podKey(pod))
    .map((name) => ({
      name,
      elsewhere: name.startsWith(namespace) ? 0 : 1,
      distance: editDistance(key, name, most),
    }))
    .filter(({ distance }) => distance <= Math.ceil(key.length / 2))
    .sort(
      (a, b) => a.elsewhere - b.elsewhere || a.distance - b.distance || (a.name < b.name ? -1 : 1),
    )
    .slice(0, shown)
    .map(({ name }) => name);
  return near.length === 0
    ? `there is no pod ${key}: see kubectl get pods -A`
    : `there is no pod ${key}: the nearest are ${near.join(', ')}`;
};
