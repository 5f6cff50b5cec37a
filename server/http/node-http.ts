/**
 * The parts of node:http that the store needs at run time. An `import` of that module reads all that it exports, and so loads Node's
 * client for HTTP and WebSockets: 12 MB and a twentieth of a start's processor time.
 */
export const { STATUS_CODES, Server, request } = process.getBuiltinModule('node:http');
