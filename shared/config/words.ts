/* For commands and deployment, which get the words of the pure rooms from here. */
export { counted } from '#cluster/counted.ts';
export { problemLine } from '#cluster/problem.ts';
export { parseTime } from '#cluster/time.ts';
