/** Chances as people say them: whole, but for never and always. @param {number} p per cent */
export const percent = (p) =>
  new Intl.NumberFormat(document.documentElement.lang, {
    maximumFractionDigits: p < 1 || p > 99 ? 1 : 0,
  }).format(p);
