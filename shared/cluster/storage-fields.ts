import { addFault, type ObjectField, shown, textsAt } from './fields.ts';
import type { AccessMode } from './storage-views.ts';

export const volumeModes = ['Filesystem', 'Block'] as const;

const accessModes: readonly AccessMode[] = [
  'ReadWriteOnce',
  'ReadOnlyMany',
  'ReadWriteMany',
  'ReadWriteOncePod',
];

/** `accessModes` of the spec of a claim or a volume; unknown ones are faults. */
export const accessModesAt = (spec: ObjectField): readonly AccessMode[] =>
  textsAt(spec, 'accessModes').flatMap((text, index) => {
    const mode = accessModes.find((known) => known === text);
    if (mode !== undefined) return [mode];
    const message = `${shown(text)} is unknown here; write one of ${accessModes.join(', ')}`;
    addFault(spec, `accessModes[${index}]`, { code: 'valueUnknown', message });
    return [];
  });
