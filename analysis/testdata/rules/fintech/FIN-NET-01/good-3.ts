// see http://paystack.com/docs/api
