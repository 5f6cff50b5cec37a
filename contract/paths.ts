/** The addresses that browser and server agree on. Parameters are filled in by the caller, percent-encoded. */

export const paths = {
  books: '/books',
  book: (id: string) => `/book/${encodeURIComponent(id)}`,
  addOrder: '/addOrder',
  allOrder: (email: string) => `/allOrder/${encodeURIComponent(email)}`,
  addBook: '/addBook',
  deleteBook: (id: string) => `/deleteBook/${encodeURIComponent(id)}`,
  restoreBook: (id: string) => `/restoreBook/${encodeURIComponent(id)}`,
  session: '/auth/session',
  signIn: '/auth/sign-in',
  signInCallback: '/auth/callback',
  signOut: '/auth/sign-out',
  upload: '/1/upload',
} as const;
