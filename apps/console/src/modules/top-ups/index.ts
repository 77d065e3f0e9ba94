export { AutomaticTopUp } from './automatic-top-up.tsx';
export { RedeemVoucher } from './redeem-voucher.tsx';
export { TopUpDialog } from './top-up-dialog.tsx';
