/** Whether a host name or address never leaves this machine. @param hostname an IPv6 address with or without brackets. */
export const isLoopback = (hostname: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname);
