import type { Metadata } from "next";
import { WebhooksBoard } from "#components/settings/webhooks/webhooks-board.tsx";
import { words } from "#components/words/en.ts";
import { requireRole } from "#lib/auth/current-member.ts";
import { scopesOf } from "#lib/auth/permissions.ts";
import { keyStatus } from "#lib/keys/api-keys.ts";
import { listWebhooks } from "#lib/webhooks/webhooks.ts";

export const metadata: Metadata = { title: words.webhooks.title };

export default async function WebhooksPage() {
  const { id, role } = await requireRole("admin");
  const owner = { scopes: scopesOf(role), member_id: id };
  const [webhooks, { keys }] = await Promise.all([listWebhooks(owner), keyStatus(owner)]);
  const names = keys.map((key) => ({ id: key.id, name: key.name, last_characters: key.last_characters }));
  return <WebhooksBoard webhooks={webhooks} keys={names} />;
}
