import type { Profile } from "next-auth";
import { z } from "zod";

const User = z.looseObject({ id: z.number(), login: z.string(), name: z.string().nullish() });
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/**
 * The GitHub user behind a token, with the primary e-mail and whether GitHub has verified it. next-auth's own
 * reading takes the public address, of which the answer does not say that.
 * @throws Error when GitHub does not answer as documented (docs.github.com/rest/users/emails)
 */
export async function readGithubUser(accessToken: string): Promise<Profile> {
  const user = User.parse(await ask("/user", accessToken));
  const emails = Emails.parse(await ask("/user/emails", accessToken));
  const primary = emails.find((each) => each.primary);
  // next-auth's type knows no null, its code does.
  return { ...user, email: primary?.email, email_verified: primary?.verified ?? false } as Profile;
}

async function ask(path: string, accessToken: string): Promise<unknown> {
  const answer = await fetch(`https://api.github.com${path}`, {
    headers: { authorization: `Bearer ${accessToken}`, accept: "application/vnd.github+json" },
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${path}`);
  return answer.json();
}
