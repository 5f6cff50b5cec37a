/** @returns whether an address is one of this machine, also as IPv6 sockets show an IPv4 address (RFC 4291, section 2.5.5.2). */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|::1|\[::1\]|(::ffff:)?127(\.\d{1,3}){3})$/i.test(hostname);

export const isLoopbackHost = (host: string): boolean => isLoopback(host.replace(/:\d*$/, ''));
