using System.Security.Cryptography;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Payments;

[ApiController]
[Route("webhooks/paystack")]
public class PaystackWebhookController(ShopContext db, IConfiguration configuration) : ControllerBase
{
  [HttpPost] // ← here
  public async Task<IActionResult> Receive([FromBody] PaystackEvent message)
  {
    if (message.Event != "charge.success") return Ok();
    var wallet = await db.Wallets.FindAsync(message.Data.CustomerId);
    wallet.BalanceMinor += message.Data.AmountMinor;
    await db.SaveChangesAsync();
    return Ok();
  }
}
