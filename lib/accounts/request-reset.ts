import { accountHash, clientAddress, slowDown } from "./sign-in-throttle.ts";
import { queueResetMail } from "./send-mail.ts";
import { isMailSetUp } from "./transport.ts";
import { Email } from "./member-schema.ts";

/**
 * "Forgot password?". Whether the address belongs to a member is looked up later, when the mail is written: neither the
 * answer nor its time shows it. Requests are slowed like sign-ins, apart from the sign-ins of the same account, so
 * that a stranger does not delay them.
 *
 * @param typed the address
 * @param headers of the request
 */
export async function requestReset(
  typed: string,
  headers: Headers,
): Promise<"accepted" | "InvalidAddress" | "TooManyAttempts" | "Unavailable"> {
  if (!isMailSetUp()) return "Unavailable";
  const email = Email.safeParse(typed);
  if (!email.success) return "InvalidAddress";
  const attempt = await slowDown(accountHash(`reset ${email.data}`), clientAddress(headers), null);
  if (attempt.refused) return "TooManyAttempts";
  await queueResetMail(email.data);
  return "accepted";
}
