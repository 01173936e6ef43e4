class ItemsController < ApplicationController
  def show
    target = params[:next].presence || root_path
    redirect_to target, allow_other_host: true # ← here
  end
end
