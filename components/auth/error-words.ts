/** Messages for failed sign-ins and links, by error code. */
const errors = {
  CredentialsSignin: "Wrong e-mail address or password.",
  TooManyAttempts: "Too many attempts. Wait a few seconds and try again.",
  Unavailable: "The service is temporarily unavailable. Try again in a moment.",
  LinkNotValid: "This link is no longer valid.",
  InvalidAddress: "Enter an e-mail address.",
  InvalidInput: "Check the fields: an e-mail address, a name, and a password of 10 to 256 characters.",
  WeakPassword: "This password is too easy to guess. Choose a longer one, such as a sentence of your own.",
  SamePassword: "This is your present password. Choose another one.",
  MemberExists: "An account with this e-mail address already exists. Sign in instead.",
  NotInvited: "This account has no invitation. Ask an admin to invite this e-mail address.",
  EmailNotVerified: "The other service has not verified your e-mail address.",
  NotAllowedYet: "Sign in with your password first, then allow this service under Settings → Me.",
  Disabled: "This account is disabled. Ask an admin to enable it.",
  SessionRequired: "Sign in to continue.",
  OAuthSignin: "The other service could not be reached. Try again, or use your password.",
  OAuthCallback: "The other service did not confirm the sign-in. Try again.",
  Callback: "The other service did not confirm the sign-in. Try again.",
  AccessDenied: "The other service refused the sign-in.",
} as const;

export function errorWords(code: string): string {
  return Object.hasOwn(errors, code) ? errors[code as keyof typeof errors] : "This did not work. Try again.";
}
