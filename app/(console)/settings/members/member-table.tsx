"use client";
import { CircleSlash, CirclePlay, Ellipsis, KeyRound, LogOut, UserPlus } from "lucide-react";
import { useId, useState } from "react";
import { useMember } from "#components/shell/member-context.tsx";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import { ActionField, ActionForm, useAction } from "#components/ui/action-form.tsx";
import { StatePill } from "#components/ui/badge.tsx";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { CopyField } from "#components/ui/copy.tsx";
import { DialogButtons } from "#components/ui/dialog-buttons.tsx";
import { AlertDialog, Dialog } from "#components/ui/dialog.tsx";
import { DropdownMenu, MenuItem, MenuSeparator } from "#components/ui/dropdown-menu.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { roles } from "#components/words.ts";
import type { Member } from "#lib/accounts/member-schema.ts";
import { decisionList } from "#lib/client/figure-lists.ts";
import { changeMember, inviteMember, makeResetLink, signOutMember } from "../actions.ts";

type Role = Member["role"];
type OneTimeLink = { title: string; hint: string; url: string };

const roleOptions = [
  { value: "admin", label: roles.admin },
  { value: "reviewer", label: roles.reviewer },
  { value: "viewer", label: roles.viewer },
];

export function MemberTable({ members }: { members: Member[] }) {
  const [link, setLink] = useState<OneTimeLink>();
  const me = useMember();
  return (
    <>
      <ListPanel
        title="Members"
        description="Changes apply from the member's next request, and to their API keys."
        actions={<InviteDialog onLink={setLink} />}
        rows={members.map((member) => ({
          key: member.id,
          title: [
            <Link key="name" href={decisionList({ reviewer: member.id })} tone="plain" prefetch={false}>
              {member.name}
            </Link>,
            member.id === me.id ? " (you)" : null,
          ],
          facts: [
            member.disabled_at !== null && <StatePill state="disabled" />,
            member.email,
            member.last_sign_in_at === null
              ? "never signed in"
              : ["signed in ", <RelativeTime key="seen" at={member.last_sign_in_at} />],
            !member.has_password && "no password",
          ],
          actions: (
            <>
              <RoleSelect member={member} />
              <MemberActions member={member} onLink={setLink} />
            </>
          ),
        }))}
        empty="No members"
      />
      {link === undefined ? null : (
        <Dialog
          open
          onOpenChange={() => setLink(undefined)}
          title={link.title}
          description={link.hint}
          footer={
            <Button variant="primary" onClick={() => setLink(undefined)}>
              Done
            </Button>
          }
        >
          <CopyField label="Link" value={link.url} hint="Shown only once." />
        </Dialog>
      )}
    </>
  );
}

function InviteDialog({ onLink }: { onLink: (link: OneTimeLink | undefined) => void }) {
  const [open, setOpen] = useDialogParam("invite");
  const form = useId();
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Invite a member"
      description="You get a link to pass on. It is valid once, for 7 days."
      trigger={
        <Button variant="primary" icon={<UserPlus aria-hidden />}>
          Invite member
        </Button>
      }
      footer={
        <DialogButtons form={form} onCancel={() => setOpen(false)}>
          Create link
        </DialogButtons>
      }
    >
      <ActionForm
        id={form}
        action={inviteMember}
        errors={{
          form: "Change something first.",
          email: "Enter an e-mail address such as ben@example.org.",
        }}
        onDone={(made) => {
          setOpen(false);
          onLink(made);
        }}
        className="space-y-5"
      >
        <ActionField name="email" whole label="E-mail" required>
          <Input name="email" type="email" maxLength={254} autoComplete="off" required />
        </ActionField>
        <ActionField
          name="role"
          label="Role"
          hint="Viewers read. Reviewers decide, too. Admins may do everything."
        >
          <Select name="role" defaultValue="reviewer" options={roleOptions} />
        </ActionField>
      </ActionForm>
    </Dialog>
  );
}

/** Changing one's own role asks first, because it cannot be undone. */
function RoleSelect({ member }: { member: Member }) {
  const me = useMember();
  const [asked, setAsked] = useState<Role>();
  const [wanted, setWanted] = useState(member.role);
  const { send, pending } = useAction(changeMember);
  const change = (role: Role) => {
    setWanted(role);
    send({ id: member.id, role });
  };
  return (
    <>
      <Select
        size="sm"
        aria-label={`Role of ${member.name}`}
        value={pending ? wanted : member.role}
        options={roleOptions}
        onChange={(event) => {
          const role = event.target.value as Role;
          if (member.id === me.id) setAsked(role);
          else change(role);
        }}
      />
      {asked === undefined ? null : (
        <AlertDialog
          open
          onOpenChange={() => setAsked(undefined)}
          title="Change your own role"
          description={`You become ${roles[asked]} immediately. Only another admin can restore your role.`}
          confirm="Change my role"
          onConfirm={() => change(asked)}
        />
      )}
    </>
  );
}

interface MemberActionsProps {
  member: Member;
  onLink: (link: OneTimeLink | undefined) => void;
}

function MemberActions({ member: { id, name, disabled_at }, onLink }: MemberActionsProps) {
  const me = useMember();
  const isOn = disabled_at === null;
  const reset = useAction(makeResetLink, { onDone: onLink });
  const enable = useAction(changeMember);
  const signOut = useAction(signOutMember);
  return (
    <DropdownMenu
      trigger={
        <button
          type="button"
          aria-label={`Actions for ${name}`}
          aria-busy={reset.pending || enable.pending || signOut.pending || undefined}
          className={buttonClass("ghost", "sm", "aspect-square px-0")}
        >
          <Ellipsis aria-hidden />
        </button>
      }
    >
      <MenuItem icon={<KeyRound aria-hidden />} onSelect={() => reset.send({ id, name })}>
        Create reset link
      </MenuItem>
      {id === me.id ? null : (
        <>
          <MenuItem icon={<LogOut aria-hidden />} onSelect={() => signOut.send({ id, name })}>
            Sign out everywhere
          </MenuItem>
          <MenuSeparator />
          <MenuItem
            icon={isOn ? <CircleSlash aria-hidden /> : <CirclePlay aria-hidden />}
            tone={isOn ? "danger" : "plain"}
            onSelect={() => enable.send({ id, disabled: isOn })}
          >
            {isOn ? "Disable" : "Enable"}
          </MenuItem>
        </>
      )}
    </DropdownMenu>
  );
}
