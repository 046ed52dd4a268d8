"use client";
import { Monitor, Moon, Sun } from "lucide-react";
import { SegmentedControl } from "#components/ui/choice.tsx";
import { saveTheme } from "./save-theme.ts";
import { useTheme, type ThemeChoice } from "./theme.ts";

const options = [
  { value: "system", label: "System", icon: <Monitor aria-hidden /> },
  { value: "light", label: "Light", icon: <Sun aria-hidden /> },
  { value: "dark", label: "Dark", icon: <Moon aria-hidden /> },
] as const;

function asChoice(value: string): ThemeChoice {
  return value === "light" || value === "dark" ? value : "system";
}

export function ThemeSwitch() {
  const [theme, choose] = useTheme();
  const onChange = (value: string) => {
    choose(asChoice(value));
    saveTheme(asChoice(value));
  };
  return <SegmentedControl label="Theme" options={options} value={theme} onChange={onChange} />;
}
