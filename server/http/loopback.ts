/**
 * @returns true for a host name or address that never leaves this machine.
 * @param hostname in any case; an IPv6 address with or without brackets; an IPv4 address also as IPv6 sockets show it
 * (RFC 4291, section 2.5.5.2).
 */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|::1|\[::1\]|(::ffff:)?127(\.\d{1,3}){3})$/i.test(hostname);

/** @returns true if the value of a `Host` header names this machine, with any port. */
export const isLoopbackHost = (host: string): boolean => isLoopback(host.replace(/:\d*$/, ''));
