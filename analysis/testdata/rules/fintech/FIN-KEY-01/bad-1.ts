const key = process.env.NEXT_PUBLIC_PAYSTACK_SECRET_KEY
