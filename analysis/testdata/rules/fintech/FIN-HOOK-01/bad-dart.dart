import 'dart:convert';
import 'package:shelf/shelf.dart';

Future<Response> paystackWebhook(Request request) async { // ← here
  final event = jsonDecode(await request.readAsString());
  if (event['event'] == 'charge.success') {
    await db.execute('update wallets set balance = balance + ? where reference = ?', [event['data']['amount'], event['data']['reference']]);
  }
  return Response.ok('');
}
