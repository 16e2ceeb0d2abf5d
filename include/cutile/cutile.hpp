#pragma once

#include "cutile/control.hpp"
#include "cutile/device.hpp"
#include "cutile/error.hpp"
#include "cutile/kernel.hpp"
#include "cutile/op.hpp"
#include "cutile/ops.hpp"
#include "cutile/shape.hpp"
#include "cutile/tensor.hpp"
#include "cutile/tile.hpp"
#include "cutile/types.hpp"
#include "cutile/view.hpp"
