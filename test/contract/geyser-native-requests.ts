// The empty parts of a request of the native client, whose types want every member.
import type { SubscribeRequest } from '@triton-one/yellowstone-grpc';

export const NO_FILTERS: SubscribeRequest = {
  accounts: {},
  slots: {},
  transactions: {},
  transactionsStatus: {},
  blocks: {},
  blocksMeta: {},
  entry: {},
  accountsDataSlice: [],
};
export const ANY_ACCOUNT: SubscribeRequest['accounts'][string] = { account: [], owner: [], filters: [] };
export const ANY_TRANSACTION: SubscribeRequest['transactions'][string] = {
  accountInclude: [],
  accountExclude: [],
  accountRequired: [],
};
