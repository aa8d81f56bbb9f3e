/* For commands and deployment, which get their words from here and from operations. */
export { problemLine } from '#cluster/problem.ts';
