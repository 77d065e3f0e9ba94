export { Book, type Payment, type Refund } from './book.ts';
export { DELIVERY_MODES, type DeliveryMode } from './notices.ts';
export { type PaymentSimulator, startPaymentSimulator } from './simulator.ts';
