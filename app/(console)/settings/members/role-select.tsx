"use client";
import { roles } from "#components/words.ts";
import { useState } from "react";
import { useMember } from "#components/shell/member-context.tsx";
import { useAction } from "#components/ui/action-form.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { Select } from "#components/ui/input.tsx";
import type { Member } from "#lib/accounts/member-schema.ts";
import { changeMember } from "../actions.ts";

const roleHints = {
  admin: "Full access",
  reviewer: "Read, review, consume",
  viewer: "Read only",
} as const;

type Role = Member["role"];

export const roleOptions = (["admin", "reviewer", "viewer"] as const).map((role) => ({
  value: role,
  label: roles[role],
  hint: roleHints[role],
}));

/** Changing one's own role asks first, because it cannot be undone. */
export function RoleSelect({ member }: { member: Member }) {
  const me = useMember();
  const [asked, setAsked] = useState<Role>();
  const [wanted, setWanted] = useState({ before: member.role, role: member.role });
  const undo = { id: `role-${member.id}`, undo: () => change(wanted.before) };
  const { send, pending } = useAction(changeMember, member.id === me.id ? {} : undo);
  function change(role: Role) {
    setWanted({ before: member.role, role });
    send({ id: member.id, role });
  }
  return (
    <>
      <Select
        size="sm"
        aria-label={`Role of ${member.name}`}
        value={pending ? wanted.role : member.role}
        options={roleOptions}
        onChange={(event) => {
          const role = event.target.value as Role;
          if (member.id === me.id) setAsked(role);
          else change(role);
        }}
      />
      <AlertDialog
        open={asked !== undefined}
        onOpenChange={(open) => (open ? undefined : setAsked(undefined))}
        title="Change your own role"
        description={
          asked === undefined
            ? ""
            : `You become ${roles[asked]} immediately. Only another admin can restore your role.`
        }
        confirm="Change my role"
        onConfirm={() => asked !== undefined && change(asked)}
      />
    </>
  );
}
