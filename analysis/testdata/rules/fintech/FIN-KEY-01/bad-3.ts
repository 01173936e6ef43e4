const key = import.meta.env.VITE_STRIPE_SECRET
