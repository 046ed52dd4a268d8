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
import { formErrors } from "#components/ui/form-errors.ts";
import type { InvitationCreated } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { OneTimeLink } from "./link-dialog.tsx";
import { roleOptions } from "./role-select.tsx";

const fieldErrors = {
  form: "Change something first.",
  email: "Enter an e-mail address such as ben@example.org.",
  role: "Choose a role.",
} as const;

const FORM = "invite-member";

export function InviteDialog({ onLink }: { onLink: (link: OneTimeLink) => void }) {
  const [open, setOpen] = useDialogParam("invite");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState("reviewer");
  const invite = useMutation<void, InvitationCreated>(
    () => apiFetch("/members/links", { method: "POST", body: { email, role } }),
    {
      refreshPage: true,
      onDone: (invitation) => {
        change(false);
        onLink({
          title: `Invitation for ${invitation.email}`,
          hint: invitation.mailed
            ? "Valid once, for 7 days. A link is also sent to this address by e-mail; both lead to the same invitation."
            : "Valid once, for 7 days. Sluice does not send it; pass it on yourself.",
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
  const errors = formErrors(fieldErrors, invite.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Invite a member"
      description="You get a link to pass on. It is valid once, for 7 days."
      trigger={
        <Button variant="primary" icon={<UserPlus aria-hidden />}>
          Invite member
        </Button>
      }
      footer={
        <DialogButtons form={FORM} pending={invite.pending} onCancel={() => change(false)}>
          Create link
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
        <Field label="E-mail" error={errors.at("email") ?? errors.form} required>
          <Input
            type="email"
            value={email}
            maxLength={254}
            autoComplete="off"
            required
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <FieldSet legend="Role">
          <RadioGroup label="Role" value={role} onChange={setRole} options={roleOptions} />
        </FieldSet>
      </form>
    </Dialog>
  );
}
