import type { Metadata } from "next";
import { DoctorBoard } from "#components/settings/doctor/doctor-board.tsx";
import { words } from "#components/words/en.ts";
import { requireRole } from "#lib/auth/current-member.ts";

export const metadata: Metadata = { title: words.doctor.title };

export default async function DoctorPage() {
  await requireRole("admin");
  return <DoctorBoard />;
}
