using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string returnUrl)
  {
    if (!Url.IsLocalUrl(returnUrl)) return BadRequest();
    return Redirect(returnUrl);
  }
}
