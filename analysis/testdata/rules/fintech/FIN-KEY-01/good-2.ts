const key = process.env.PAYSTACK_SECRET_KEY
