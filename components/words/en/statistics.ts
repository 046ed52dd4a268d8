export const statistics = {
  title: "Statistics",
  description: "What came in, what was decided, what went out.",
  fetched: "Fetched",
  reviewed: "Reviewed",
  approved: "Approved",
  rejected: "Rejected",
  delivered: "Delivered",
  errors: "Errors",
  approvalRate: "Approval rate",
  byDay: "By day",
  bySource: "By server",
  byStream: "By stream",
} as const;
