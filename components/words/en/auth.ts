export const auth = {
  signIn: "Sign in",
  signInHint: "Sign in to review posts and run the queue.",
  email: "E-mail",
  password: "Password",
  signInWith: "Sign in with",
  wrongPair: "E-mail or password is wrong.",
  createFirstAccount: "Create the first account",
  acceptInvitation: "Accept invitation",
  setPassword: "Set password",
} as const;
