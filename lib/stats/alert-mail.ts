import type { Mail, MailRow } from "#lib/accounts/mail.ts";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import type { Alert } from "./alert-schema.ts";
import { describeAlerts } from "./watch-alerts.ts";

/** Null if the member is no admin any more or does not want it. */
export async function composeAlertMail({ member_id, alert_ids }: MailRow): Promise<Mail | null> {
  const member = await db.member.findUnique({ where: { id: member_id ?? 0 } });
  if (member === null || member.role !== "admin" || member.disabled_at !== null) return null;
  if ((member.preferences as { alert_mail?: unknown }).alert_mail === false) return null;
  const alerts = await describeAlerts(alert_ids);
  const [first] = alerts;
  if (first === undefined) return null;
  return {
    to: member.email,
    subject: `Sluice: ${alerts.length === 1 ? titleOf(first) : `${alerts.length} alerts`}`,
    text: [
      ...alerts.map((alert) =>
        [titleOf(alert), ...(alert.ended_at === null ? [alert.advice] : []), alert.url].join("\n"),
      ),
      `You get this mail as an admin of ${env().PUBLIC_URL}. To stop it, change your profile: ${env().PUBLIC_URL}/settings`,
    ].join("\n\n"),
  };
}

function titleOf({ title, ended_at }: Alert): string {
  return ended_at === null ? title : `Over: ${title}`;
}
