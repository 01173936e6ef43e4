import 'dart:convert';
import 'package:crypto/crypto.dart';
import 'package:shelf/shelf.dart';

Future<Response> paystackWebhook(Request request) async {
  final body = await request.readAsString();
  final expected = Hmac(sha512, utf8.encode(secret)).convert(utf8.encode(body)).toString();
  if (!constantTimeEquals(expected, request.headers['x-paystack-signature'] ?? '')) {
    return Response.forbidden('');
  }
  final event = jsonDecode(body);
  await db.execute('update orders set paid = 1 where reference = ?', [event['data']['reference']]);
  return Response.ok('');
}
