using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly HttpClient client;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show()
  {
    var text = await client.GetStringAsync(Request.Query["url"]); // ← here
    return Ok(text);
  }
}
