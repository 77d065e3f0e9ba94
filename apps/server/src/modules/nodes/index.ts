export { keepNode, punctualPool } from './keep-node.ts';
export { OwnNode } from './own-node.ts';
