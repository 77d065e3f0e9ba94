export { RedeemVoucher } from './redeem-voucher.tsx';
export { TopUpDialog } from './top-up-dialog.tsx';
