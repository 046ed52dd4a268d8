"use client";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import { Button } from "#components/ui/button.tsx";
import { RadioGroup } from "#components/ui/choice.tsx";
import { DialogButtons } from "#components/ui/dialog-buttons.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field, FieldSet } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import type { InvitationCreated } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { OneTimeLink } from "./link-dialog.tsx";
import { roleOptions } from "./role-select.tsx";

const w = words.settings;
const FORM = "invite-member";

export function InviteDialog({ onLink }: { onLink: (link: OneTimeLink) => void }) {
  const [open, setOpen] = useDialogParam("invite");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState("reviewer");
  const invite = useMutation<void, InvitationCreated>(
    () => apiFetch("/members/links", { method: "POST", body: { email, role } }),
    {
      refresh: ["/members*"],
      onDone: (invitation) => {
        change(false);
        onLink({
          title: w.invitedTitle(invitation.email),
          hint: invitation.mailed ? w.invitedByMail : w.invitedHint,
          url: invitation.url,
        });
      },
    },
  );
  function change(next: boolean) {
    setOpen(next);
    invite.reset();
    setEmail("");
    setRole("reviewer");
  }
  const errors = formErrors("invitation", invite.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={w.inviteTitle}
      description={w.inviteHint}
      trigger={
        <Button variant="primary" icon={<UserPlus aria-hidden />}>
          {w.invite}
        </Button>
      }
      footer={
        <DialogButtons form={FORM} pending={invite.pending} onCancel={() => change(false)}>
          {w.inviteMake}
        </DialogButtons>
      }
    >
      <form
        id={FORM}
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          void invite.run();
        }}
      >
        <Field label={w.email} error={errors.at("email") ?? errors.form} required>
          <Input
            type="email"
            value={email}
            maxLength={254}
            autoComplete="off"
            required
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <FieldSet legend={w.role}>
          <RadioGroup label={w.role} value={role} onChange={setRole} options={roleOptions} />
        </FieldSet>
      </form>
    </Dialog>
  );
}
