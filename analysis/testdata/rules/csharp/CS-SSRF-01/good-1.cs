using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly HttpClient client;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var text = await client.GetStringAsync("https://api.shop.test/orders/" + Uri.EscapeDataString(id));
    return Ok(text);
  }
}
