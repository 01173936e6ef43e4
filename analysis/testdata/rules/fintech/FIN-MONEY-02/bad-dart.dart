Future<void> pay(Map<String, String> form) async {
  final amount = double.parse(form['amount']!); // ← here
  await paystack.charge(amount: amount, currency: 'NGN');
}
