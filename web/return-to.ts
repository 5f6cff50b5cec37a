/**
 * Where to go after sign-in: the remembered path when it is one of this store's own, otherwise the home page.
 * Anything that a browser could read as another site or scheme is refused, and so is the login screen itself.
 */
export const safeReturnTo = (remembered: unknown): string => {
  if (typeof remembered !== 'string') return '/';
  const isOwnPath = /^\/(?![/\\])/.test(remembered) && !/\p{Cc}/u.test(remembered);
  const isLogin = /^\/login\/?(?:[?#]|$)/i.test(remembered);
  return isOwnPath && !isLogin ? remembered : '/';
};
