import type { Transporter } from "nodemailer";
import { env } from "#lib/base/env.ts";

/** Milliseconds for a connection, a greeting and each answer. */
const PATIENCE_MS = 10_000;
const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?)$/;

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export function isMailSetUp(): boolean {
  return env().SMTP_URL !== undefined;
}

/** Opens a connection for each mail. @throws Error without SMTP_URL */
export async function openTransport(): Promise<Transporter> {
  const { SMTP_URL: url, SMTP_FROM: from } = env();
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
