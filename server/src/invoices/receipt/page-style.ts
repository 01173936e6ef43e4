// The style of a printable document. Always dark on white, because it is a copy of paper.

// The band is the woven band of the app. Printers omit backgrounds, so a double rule replaces it in print.
export const PAGE_STYLE = `
:root{color-scheme:light;-webkit-text-size-adjust:100%}
*{box-sizing:border-box;margin:0}
body{background:#f1efea;color:#1b1d2a;font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;font-variant-numeric:tabular-nums;padding:24px 12px}
main{max-width:44rem;margin:0 auto;background:#fff;padding:38px 40px 32px;position:relative;overflow-wrap:anywhere;border:1px solid #dedad2;border-top:0}
main::before{content:"";position:absolute;inset:0 -1px auto;height:6px;--row:#33308a 0 8px,#fbf9f4 8px 10px,#9cc9e0 10px 14px,#fbf9f4 14px 16px;background:repeating-linear-gradient(90deg,var(--row)) 0 0/16px 2px repeat-x,repeating-linear-gradient(90deg,var(--row)) 8px 2px/16px 2px repeat-x,repeating-linear-gradient(90deg,var(--row)) 0 4px/16px 2px repeat-x}
header{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:flex-start;gap:8px 24px}
.brand{display:flex;align-items:center;gap:8px;margin-bottom:20px;font-size:17px;font-weight:650}
.brand svg{fill:#33308a}.brand .lips{fill:#fff}
h1{font-size:28px;line-height:1.15;font-weight:650;letter-spacing:-.01em}
.number{font-size:16px;font-weight:600}
.stamps strong{display:inline-block;border:2px solid;border-radius:3px;padding:2px 10px;font-size:13px;letter-spacing:.08em;margin-inline-start:4px}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:16px 24px;margin-top:24px;padding-top:16px;border-top:1px solid #1b1d2a}
h2,dt,thead th{font-size:12px;font-weight:400;color:#55586a}
.name{font-weight:600}
.address{white-space:pre-line}
dl{display:grid;grid-template-columns:1fr 1fr;gap:12px 24px;margin-top:16px;padding:16px 0;border-top:1px solid #dedad2}
dd{margin:0}
table{width:100%;border-collapse:collapse;border-top:1px solid #dedad2}
th,td{text-align:start;vertical-align:top;padding:8px 0;font-weight:400}
th:nth-child(2):not([colspan]),td:nth-child(2):not(:last-child){text-align:end;padding-inline-start:16px;white-space:nowrap;overflow-wrap:normal}
th:last-child,td:last-child{text-align:end;padding-inline-start:16px;white-space:nowrap;overflow-wrap:normal}
tbody{border-top:1px solid #1b1d2a}
tbody tr+tr{border-top:1px solid #eceae4}
.sums{border-top:1px solid #dedad2}
.sums tr+tr{border-top:0}
.sums th{padding:4px 0}
.sums td{padding-block:4px;padding-inline-start:16px}
.sums tr:first-child th,.sums tr:first-child td{padding-top:10px}
.sums .total th,.sums .total td{font-size:20px;font-weight:650;padding-top:10px;padding-bottom:10px;border-top:1px solid #1b1d2a;border-bottom:3px double #1b1d2a}
.total+tr th,.total+tr td{padding-top:12px}
.void table{text-decoration:line-through}
.registration{display:flex;justify-content:space-between;align-items:flex-start;gap:8px 24px;margin-top:20px;break-inside:avoid}
.registration svg{width:132px;height:132px;flex:none}
footer{margin-top:20px;font-size:13px;color:#55586a}
a{color:#33308a;display:inline-block;padding:10px 0}
@media (max-width:520px){body{padding:0;background:#fff}main{padding:26px 16px 24px;border:0}main::before{inset:0 0 auto}.sides,dl{grid-template-columns:1fr}.stamps strong{margin-inline:0 4px}.sums .total th,.sums .total td{font-size:18px}}
@page{size:A4;margin:16mm}
@media print{body{background:#fff;color:#000;padding:0;font-size:11pt}main{max-width:none;border:0;border-top:3px double #000;padding:8mm 0 0}main::before,.screen{display:none}h2,dt,thead th,footer{color:#333}tr,section,dl div{break-inside:avoid}}
`
