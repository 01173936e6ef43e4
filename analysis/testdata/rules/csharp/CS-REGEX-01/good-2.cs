using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var pattern = new Regex(id, RegexOptions.None, TimeSpan.FromMilliseconds(100));
    return Ok(pattern.IsMatch("order"));
  }
}
