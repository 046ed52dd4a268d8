import type { Transporter } from "nodemailer";
import { env, type Env } from "#lib/env.ts";

/** Milliseconds for a connection, a greeting and each answer. */
const PATIENCE_MS = 10_000;
const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?)$/;

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export type MailSettings = Pick<Env, "SMTP_URL" | "SMTP_FROM">;

export function isMailSetUp(): boolean {
  return env().SMTP_URL !== undefined;
}

/** Opens a connection for each mail. @throws Error without SMTP_URL */
export async function openTransport(settings: MailSettings = env()): Promise<Transporter> {
  const { SMTP_URL: url, SMTP_FROM: from } = settings;
  if (url === undefined) throw new Error("SMTP_URL is not set");
  const { createTransport } = await import("nodemailer");
  const { hostname, username } = new URL(url);
  // A relay on this machine rarely has a valid certificate. Elsewhere a password is sent over TLS only.
  const isHere = LOOPBACK.test(hostname);
  return createTransport(
    {
      url,
      ignoreTLS: isHere,
      requireTLS: !isHere && username !== "",
      connectionTimeout: PATIENCE_MS,
      greetingTimeout: PATIENCE_MS,
      socketTimeout: PATIENCE_MS,
      dnsTimeout: PATIENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // Programs that answer automatically ignore such mail (RFC 3834).
    { from, headers: { "Auto-Submitted": "auto-generated" } },
  );
}

/** Signs in at the mail server. @returns why it cannot be used, or null */
export async function mailProblem(settings: MailSettings): Promise<string | null> {
  try {
    const transport = await openTransport(settings);
    await transport.verify();
    return null;
  } catch (error) {
    return describeMailError(error);
  }
}

/** Without addresses, which answers of servers repeat. */
export function describeMailError(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return [code ?? "no answer", responseCode].filter((part) => part !== undefined).join(" ");
}

/** The server will never take this mail, such as for an unknown recipient. */
export function isRefusedForEver(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return code === "EENVELOPE" && (responseCode ?? 0) >= 500;
}
