const key = process.env.NEXT_PUBLIC_PAYSTACK_PUBLIC_KEY
