import type { Metadata } from "next";
import {
  ActionButton,
  ActionField,
  ActionForm,
  FormNotice,
  SubmitButton,
} from "#components/ui/action-form.tsx";
import { StatePill } from "#components/ui/badge.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { Link } from "#components/ui/link.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { Expiry, RelativeTime } from "#components/ui/relative-time.tsx";
import { roles } from "#components/words.ts";
import { listMembers } from "#lib/accounts/accounts.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { listLinks } from "#lib/accounts/links.ts";
import { decisionsUrl } from "#lib/client/posts-url.ts";
import { listRejectReasons } from "#lib/review/reject-reasons.ts";
import { changeMember, inviteMember, makeResetLink, revokeLink } from "../actions.ts";
import { SecretForm } from "../secret-form.tsx";
import { ReasonsPanel } from "./reasons-panel.tsx";

export const metadata: Metadata = { title: "Team" };

const roleOptions = Object.entries(roles).map(([value, label]) => ({ value, label }));
const errors = { email: "Enter an e-mail address such as ben@example.org." };

export default async function MembersPage() {
  const me = await requireMember();
  if (me.role !== "admin") return <p>Only admins see the team.</p>;
  const [members, links, reasons] = await Promise.all([listMembers(), listLinks(), listRejectReasons()]);
  return (
    <div className="space-y-6">
      <ListPanel
        title="Members"
        description="Changes apply from the member's next request, and to their API keys. Another admin changes your role."
        rows={members.map(({ id, name, email, role, disabled_at, last_sign_in_at, has_password }) => ({
          key: id,
          title: [
            <Link key="name" href={decisionsUrl({ reviewer: id })} tone="plain" prefetch={false}>
              {name}
            </Link>,
            id === me.id ? " (you)" : null,
          ],
          facts: [
            disabled_at !== null && <StatePill state="disabled" />,
            id === me.id && roles[role],
            email,
            ["last sign-in: ", <RelativeTime key="seen" at={last_sign_in_at} fallback="never" />],
            !has_password && "no password",
          ],
          actions: (
            <>
              {id === me.id ? null : (
                <ActionForm action={changeMember} className="flex flex-wrap gap-2">
                  <FormNotice />
                  <input type="hidden" name="id" value={id} />
                  <Select
                    size="sm"
                    name="access"
                    aria-label={`Role of ${name}`}
                    defaultValue={disabled_at === null ? role : "disabled"}
                    options={[...roleOptions, { value: "disabled", label: "Disabled" }]}
                  />
                  <SubmitButton size="sm" aria-label={`Save the role of ${name}`}>
                    Save
                  </SubmitButton>
                </ActionForm>
              )}
              <SecretForm action={makeResetLink} className="contents">
                <input type="hidden" name="id" value={id} />
                <input type="hidden" name="name" value={name} />
                <SubmitButton size="sm" aria-label={`Create reset link for ${name}`}>
                  Create reset link
                </SubmitButton>
              </SecretForm>
            </>
          ),
        }))}
        empty="No members"
      >
        <SecretForm action={inviteMember} errors={errors} className="flex flex-wrap items-start gap-3">
          <ActionField name="email" label="E-mail" className="flex-1 basis-64" required>
            <Input name="email" type="email" maxLength={254} autoComplete="off" required />
          </ActionField>
          <Field label="Role" hint="Viewers read. Reviewers decide, too. Admins may do everything.">
            <Select name="role" defaultValue="reviewer" options={roleOptions} />
          </Field>
          <SubmitButton variant="primary" className="desk:mt-5.5">
            Invite member
          </SubmitButton>
        </SecretForm>
      </ListPanel>
      <ListPanel
        title="Pending invitations and reset links"
        description="Nobody has used them yet. A link ends with the rights of the admin who created it."
        rows={links.map(({ id, name, email, role, created_by, expires_at }) => ({
          key: id,
          title: name ?? email,
          facts: [
            name !== null && email,
            role === null ? "Password reset" : `Invitation, ${roles[role]}`,
            `by ${created_by ?? "the command line"}`,
            ["expires ", <Expiry key="until" at={expires_at} />],
          ],
          actions: (
            <ActionButton
              action={revokeLink}
              fields={{ id, email }}
              size="sm"
              aria-label={`Revoke the link for ${email}`}
            >
              Revoke
            </ActionButton>
          ),
        }))}
        empty="No pending links"
      />
      <ReasonsPanel reasons={reasons} />
    </div>
  );
}
