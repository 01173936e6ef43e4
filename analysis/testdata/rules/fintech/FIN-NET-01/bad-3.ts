$url = 'http://sandbox.safaricom.co.ke/mpesa/stkpush/v1/processrequest';
