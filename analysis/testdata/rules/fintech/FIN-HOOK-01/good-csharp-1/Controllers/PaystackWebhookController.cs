using System.Security.Cryptography;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Payments;

[ApiController]
[Route("webhooks/paystack")]
public class PaystackWebhookController(ShopContext db, IConfiguration configuration) : ControllerBase
{
  [HttpPost]
  public async Task<IActionResult> Receive()
  {
    var body = await new StreamReader(Request.Body).ReadToEndAsync();
    using var mac = new HMACSHA512(Encoding.UTF8.GetBytes(configuration["Paystack:SecretKey"]));
    var expected = mac.ComputeHash(Encoding.UTF8.GetBytes(body));
    var signature = Convert.FromHexString(Request.Headers["x-paystack-signature"]);
    if (!CryptographicOperations.FixedTimeEquals(expected, signature)) return Unauthorized();
    var message = JsonSerializer.Deserialize<PaystackEvent>(body);
    if (message.Event != "charge.success") return Ok();
    var wallet = await db.Wallets.FindAsync(message.Data.CustomerId);
    wallet.BalanceMinor += message.Data.AmountMinor;
    await db.SaveChangesAsync();
    return Ok();
  }
}
