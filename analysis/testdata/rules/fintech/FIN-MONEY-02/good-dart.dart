Future<void> pay(Map<String, String> form) async {
  final amount = int.parse(form['amount']!);
  await paystack.charge(amount: amount, currency: 'NGN');
}
